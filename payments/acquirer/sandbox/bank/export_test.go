package bank

// Words gives the tests both catalogues of the bank page.
func Words() []any { return []any{catalogues["ar"], catalogues["en"]} }
