package figures

import "fmt"

// Relation is a table or an index, and the bytes in it per intent.
type Relation struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"` // "": the table itself
	Bytes float64 `json:"bytes"`
}

var relationHeadings = []string{"table", "index", "bytes"}

// relationRows are the relations in their order, and their sum.
func relationRows(all []Relation) [][]string {
	rows := make([][]string, 0, len(all)+1)
	var sum float64
	for _, r := range all {
		rows = append(rows, []string{r.Table, r.Index, fmt.Sprintf("%.1f", r.Bytes)})
		sum += r.Bytes
	}
	return append(rows, []string{"all", "", fmt.Sprintf("%.1f", sum)})
}
