package config

import (
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

// acquirerVariables are the variables with the addresses of acquirers.
func acquirerVariables() []acquirer.Variable {
	var all []acquirer.Variable
	for _, a := range registry.All() {
		all = append(all, a.Variables...)
	}
	return all
}

// acquirerAddresses are where the acquirers of applications are. A variable that is set and
// empty removes the default address of an acquirer.
func acquirerAddresses(problems *Problems, variables map[string]string) acquirer.Addresses {
	at := acquirer.Addresses{}
	for _, v := range acquirerVariables() {
		value, given := variables[v.Name]
		switch {
		case !given:
			value = v.Default
		case v.Servers:
			value = parsed(problems, v.Name, value, parseServers)
		case value != "":
			problems.checkWebAddress(v.Name, value)
		}
		if value != "" {
			at[v.Name] = value
		}
	}
	return at
}
