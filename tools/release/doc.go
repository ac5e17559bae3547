// Command release makes what is published from binaries that scripts/release has built: an
// archive for each platform, a Debian package for each architecture of Linux, and an OCI
// image of both.
//
//	release -root SOURCE -version 1.0.0 -date TIME -binaries DIR -out DIR
//
// DIR of the binaries has a folder for each platform, such as linux-amd64, with the program,
// its SBOM (daftar.cdx.json) and the licences of what is in it (THIRD-PARTY-LICENCES).
//
// # What it promises
//
// The same source, binaries, version and date give the same bytes: the order of files, their
// owners, modes and times are given, and nothing of the machine gets in. Manual pages and
// completions are those of the program's own commands. Documents lead to what is with them: a link to
// what is only in the source becomes its words. The image needs nothing that is fetched: it
// is made of the program, certificates of the Go project's bundle of Mozilla's roots, and a user
// without rights.
//
// # What the package does with the machine
//
// It installs files. It does not start or enable the service, because that has no database
// yet, and makes no user, because the unit has systemd make one up (DynamicUser) who owns
// nothing but the state folder: there is no account to be left over or to be shared. Its
// scripts are in deploy/debian and say the rest.
//
// A file that is missing, or a unit that is not as expected, ends it with an error; what is
// in DIR then is incomplete.
//
// It is a module of its own because what packs is no part of what is packed.
package main
