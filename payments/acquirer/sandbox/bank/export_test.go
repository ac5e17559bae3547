package bank

// Words returns both catalogues of the bank page.
func Words() []any { return []any{catalogues["ar"], catalogues["en"]} }
