package statements

// Field is what a column of a statement holds.
type Field string

// The fields. A statement has an amount, or credits, and a reference, the provider's
// number or a narrative.
const (
	Reference Field = "reference"          // ours: the attempt's id or its beginning
	Number    Field = "provider_reference" // the provider's own number
	Amount    Field = "amount"
	Credit    Field = "credit"    // money in; with Debit instead of Amount
	Debit     Field = "debit"     // money out
	Narrative Field = "narrative" // a text that may have our reference in it
	Currency  Field = "currency"  // without the column: dinars
	Time      Field = "time"      // a day, or a moment; without a zone: Tripoli's
	Status    Field = "status"    // without the column: every line counts
	Type      Field = "type"      // without the column: a negative amount is a refund
	Fee       Field = "fee"       // what the provider kept of the line
	Settled   Field = "settled"   // the day on which the bank has the money
)

// Fields lists them in the order in which a profile looks for them.
var Fields = []Field{Reference, Number, Amount, Credit, Debit, Narrative, Currency, Time, Status, Type,
	Fee, Settled}

// Unit is the unit of the numbers in the column of amounts.
type Unit string

// The units. Dirhams are whole numbers; dinars have at most three decimals.
const (
	Dinars  Unit = "dinars"
	Dirhams Unit = "dirhams"
)

// Format is the format of an acquirer's statements.
type Format struct {
	Unit Unit
	// ReferenceLength is that of the acquirer's capability: how many characters of the
	// attempt's id the acquirer knows; 0: all.
	ReferenceLength int
	// FinalRefusals says that a line of a refused payment ends it, as the adapter reads refusals.
	// Otherwise the payer may try again, with another card or in another app.
	FinalRefusals bool
	// Columns are the names of the columns in the acquirer's API, in lower case letters only,
	// the best first.
	Columns map[Field][]string
}
