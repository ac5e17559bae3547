// Package acceptance has tests only: of the program as its users meet it. They run its
// commands, call the API of a server that runs as a process of its own, look at its
// pages in a browser, attack it, and hold the README, the quick start, the runbook and the
// files for deployment to what the program does. The SDKs and the sample shops run against it
// as processes, while connections are cut, webhooks are lost and the shops are killed.
//
// It is a module of its own, because a browser, readers of YAML and of traces are
// needed here and nowhere in the product. What other tests share with it is beside it:
// the browser (browsertest), programs that are built once (programtest), and what runs
// once for the tests of all packages (testrun).
package acceptance
