package postgres

// HasPrefix is the condition that a column of lower-case letters and digits begins with a text, both
// as SQL. The range lets an index of the column find it.
func HasPrefix(column, prefix string) string {
	return column + ` >= ` + prefix + `
  AND ` + column + ` < ` + prefix + ` || 'zzzzzzz'
  AND starts_with(` + column + `, ` + prefix + `)`
}
