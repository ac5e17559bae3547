// Command release makes what is published from binaries that scripts/release has built: an archive
// for each platform, a Debian package for each architecture of Linux, and an OCI image for all of
// them.
//
//	release -root SOURCE -version 1.0.0 -date TIME -binaries DIR -out DIR
//
// DIR of the binaries has a folder for each platform, such as linux-amd64, with the program, its
// SBOM (daftar.cdx.json) and the licences of its parts (THIRD-PARTY-LICENCES).
//
// # Promise
//
// The same source, binaries, version and date give the same bytes: the order of files, their
// owners, modes and times are fixed, and nothing depends on the machine. Manual pages and
// completions are made from the program's own commands. Links of documents lead to files next to
// them; the text of a link to a file that is only in the source stays as plain text. The image
// needs no download: it consists of the program, certificates from the Go project's bundle of
// Mozilla's roots, and a user without rights.
//
// # What the package does on the machine
//
// It installs files. It does not start or enable a service: that of the ledger has no database yet,
// and that of the sandbox is an option. It creates no user, because systemd creates one for each
// unit (DynamicUser), who owns nothing but the state folder: no account is left over or shared. Its
// scripts are in deploy/debian and document the rest.
//
// A missing file, or an unexpected unit, ends it with an error; the content of DIR is incomplete
// then.
//
// It is a separate module, because the tools that pack are no part of the product.
package main
