package queue

import "strconv"

// Table describes rows that wait, in SQL. Statements are built from it once, at start.
type Table struct {
	Name, Key string
	Due       string // from when on a row may be claimed: a column or an expression
	Lease     string // the column with the end of a server's claim; if it is Due, that is the next turn
	Where     string // further conditions of a row that waits
	Set       string // further changes when it is claimed; begins with a comma
}

// Claim leases rows that are due at $1 until $2; parameters of Where and Set begin with $3. The CTE
// is materialized because a subquery could run more than once, and exceed the limit. The limit is a
// number, so that a plan for any arguments knows it.
func (t Table) Claim(most int, returning string) string {
	return `
WITH due AS MATERIALIZED (
    SELECT ` + t.Key + ` AS key
    FROM ` + t.Name + `
    WHERE ` + t.Where + `
      AND ` + t.Due + ` <= $1
      AND (` + t.Lease + ` IS NULL OR ` + t.Lease + ` <= $1)
    ORDER BY ` + t.Due + `
    LIMIT ` + strconv.Itoa(most) + `
    FOR UPDATE SKIP LOCKED
)
UPDATE ` + t.Name + `
SET ` + t.Lease + ` = $2` + t.Set + `
FROM due
WHERE ` + t.Key + ` = due.key
RETURNING ` + returning
}

// PutBack sets the next turn of the row $1, claimed until $2, to $3. It changes no row if the claim has
// lapsed and another server has the row. Parameters of set, which begins with a comma, begin with $4.
func (t Table) PutBack(set string) string {
	return `
UPDATE ` + t.Name + `
SET ` + t.Lease + ` = $3` + set + `
WHERE ` + t.Key + ` = $1
  AND ` + t.Lease + ` = $2`
}
