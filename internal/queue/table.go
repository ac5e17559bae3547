package queue

import "strconv"

// Table describes rows that wait, in SQL, of which statements are built once, at start.
type Table struct {
	Name, Key string
	Due       string // from when on a row may be claimed: a column or an expression
	Lease     string // the column of until when a server has it; where it is Due, that is its next turn
	Where     string // what else holds of a row that waits
	Set       string // changes it further when it is claimed; begins with a comma
}

// Claim leases rows that are due at $1 until $2; parameters of Where and Set begin with $3. The CTE
// keeps the limit, as a subquery could run more than once. The limit is a number, so that a plan that
// is made for any arguments knows it.
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

// PutBack gives the row $1, claimed until $2, its next turn at $3. It changes no row where the claim
// has lapsed and another server has it. Parameters of set, which begins with a comma, begin with $4.
func (t Table) PutBack(set string) string {
	return `
UPDATE ` + t.Name + `
SET ` + t.Lease + ` = $3` + set + `
WHERE ` + t.Key + ` = $1
  AND ` + t.Lease + ` = $2`
}
