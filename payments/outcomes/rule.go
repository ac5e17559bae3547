package outcomes

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// Rule is when an organisation wants a second person.
type Rule struct {
	// Above is an amount in dirham: what is more needs two people. Nil: nothing does; 0: all does.
	Above *int64
	// LoosenedBy is the member who made the rule weaker, until another one sets it: they settle nothing
	// alone. Zero: nobody.
	LoosenedBy accounts.UserID
}

// NeedsTwo reports whether the member's word on the amount needs another's.
func (r Rule) NeedsTwo(by accounts.UserID, amount domain.Money) bool {
	return r.Above != nil && amount.Minor > *r.Above ||
		r.LoosenedBy != (accounts.UserID{}) && r.LoosenedBy == by
}

// weaker reports whether r asks for a second person more seldom than before.
func (r Rule) weaker(before Rule) bool {
	return before.Above != nil && (r.Above == nil || *r.Above > *before.Above)
}

const (
	ruleSQL = `
SELECT four_eyes_above, four_eyes_loosened_by
FROM organizations
WHERE uuid = $1`
	setRuleSQL = `
UPDATE organizations
SET four_eyes_above = $2, four_eyes_loosened_by = $3
WHERE uuid = $1`
	settlersSQL = `
SELECT count(*)
FROM memberships
WHERE organization_uuid = $1
  AND role = ANY($2)`
)

func scanRule(row pgx.CollectableRow) (r Rule, err error) {
	err = row.Scan(&r.Above, (*zeronull.UUID)(&r.LoosenedBy))
	return r, err
}

// Rule returns the organisation's rule.
func (op *Outcomes) Rule(ctx context.Context, org accounts.OrganizationID) (Rule, error) {
	return readRule(ctx, op.pool, org, "")
}

// RuleIn is the rule, which stays so until the transaction ends.
func RuleIn(ctx context.Context, tx pgx.Tx, org accounts.OrganizationID) (Rule, error) {
	return readRule(ctx, tx, org, " FOR SHARE")
}

// readRule reads the rule, with a lock in a transaction.
func readRule(
	ctx context.Context, q postgres.Querier, org accounts.OrganizationID, lock string,
) (Rule, error) {
	return postgres.Find(ctx, q, "find rule", accounts.ErrNoOrganization, scanRule, ruleSQL+lock, org)
}

// errAmount: an amount below nothing.
var errAmount = errors.New("the amount must not be less than nothing")

// SetRule sets from which amount on two people are needed; nil: never. It needs ManagePeople. Errors:
// ErrAlone, and those of accounts.Do.
func (op *Outcomes) SetRule(
	ctx context.Context, by accounts.Actor, org accounts.OrganizationID, above *int64,
) error {
	if above != nil && *above < 0 {
		return errAmount
	}
	return op.accounts.Do(ctx, by, org, accounts.ManagePeople, func(tx pgx.Tx) (accounts.Entry, error) {
		before, err := readRule(ctx, tx, org, "") // the organisation is locked
		if err != nil {
			return accounts.Entry{}, err
		}
		if err := checkSettlers(ctx, tx, org, above); err != nil {
			return accounts.Entry{}, err
		}
		after := Rule{Above: above, LoosenedBy: loosenedBy(before, above, by)}
		_, err = tx.Exec(ctx, setRuleSQL, org, after.Above, zeronull.UUID(after.LoosenedBy))
		if err != nil {
			return accounts.Entry{}, fmt.Errorf("set rule: %w", err)
		}
		return accounts.Entry{
			Action: ActionRule, Subject: "organization", SubjectID: uuid.UUID(org),
			Detail: map[string]any{"above_before": before.words(), "above_now": after.words()},
		}, nil
	})
}

// loosenedBy is who settles nothing alone after the actor has set the rule. Only another member's rule
// ends that, or one that asks for two people always.
func loosenedBy(before Rule, above *int64, by accounts.Actor) accounts.UserID {
	always := above != nil && *above == 0
	if (Rule{Above: above}).weaker(before) || before.LoosenedBy == by.User && !always {
		return by.User
	}
	return accounts.UserID{}
}

// words are the rule in the audit trail, without a language.
func (r Rule) words() string {
	if r.Above == nil {
		return "-"
	}
	return domain.Money{Minor: *r.Above, Currency: domain.LYD}.String()
}

// checkSettlers refuses a rule that nobody could follow.
func checkSettlers(ctx context.Context, tx pgx.Tx, org accounts.OrganizationID, above *int64) error {
	if above == nil {
		return nil
	}
	var roles []string
	for _, r := range accounts.Roles {
		if r.Allows(accounts.SettleOutcomes) {
			roles = append(roles, string(r))
		}
	}
	n, err := postgres.Find(ctx, tx, "count members", nil, pgx.RowTo[int], settlersSQL, org, roles)
	if err == nil && n < 2 {
		err = ErrAlone
	}
	return err
}
