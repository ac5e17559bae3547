// Package acceptance has tests only: of the program as its users see it. They run its commands,
// call the API of a server in a separate process, open its pages in a browser, attack it, and check
// the README, the quick start, the runbook and the deployment files against what the program does.
// The SDKs and the sample shops run against it as processes, while connections are cut, webhooks
// are lost and the shops are killed.
//
// It is a separate module, because only the tests need a browser and readers of YAML and of traces.
// The packages below it are shared with other tests: the browser (browsertest), programs that are
// built once (programtest), and what runs once for the tests of all packages (testrun).
package acceptance
