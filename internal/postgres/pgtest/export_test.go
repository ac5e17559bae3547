package pgtest

// Sweep exposes what Main does about the remains of killed test processes.
var Sweep = sweep
