package httpapi

import "daftar/domain"

// request is the body of a create as it was sent, before anything but its
// syntax was checked.
type request struct {
	merchantReference node
	amount            node
	currency          node
	customer          node
	description       node
	returnURL         node
	metadata          node
	expiresAt         node
}

// field gives the place of a known name, or nil. Names are exact: encoding/json
// would take Amount for amount.
func (r *request) field(name string) *node {
	switch name {
	case "merchant_reference":
		return &r.merchantReference
	case "amount":
		return &r.amount
	case "currency":
		return &r.currency
	case "customer":
		return &r.customer
	case "description":
		return &r.description
	case "return_url":
		return &r.returnURL
	case "metadata":
		return &r.metadata
	case "expires_at":
		return &r.expiresAt
	}
	return nil
}

// DecodeCreate reads the body of POST /payment-intents. The application, the
// reference and the checkout token of the answer are left empty.
//
// The error is a *MalformedError for a body that cannot be read, and an
// *InvalidError that names every violated field for one that can. Whether
// expires_at lies in the window is not checked here: it matters only where
// no intent exists yet.
func DecodeCreate(body []byte) (domain.Create, error) {
	top, err := parse(body)
	if err != nil {
		return domain.Create{}, err
	}
	sent, err := pickFields(top, body)
	if err != nil {
		return domain.Create{}, err
	}
	return validate(sent)
}

// pickFields picks the fields of a request. Other names are ignored, but a fault that
// belongs to no field makes the whole body unreadable.
func pickFields(top node, body []byte) (request, error) {
	p := parser{body: body}
	var sent request
	for _, m := range top.members {
		place := sent.field(m.name)
		switch {
		case m.nameFault != nil:
			return request{}, p.malformed("a name "+m.nameFault.what, m.nameFault.offset)
		case place != nil:
			*place = m.value
		case m.value.fault != nil:
			return request{}, p.malformed("a name or string "+m.value.fault.what, m.value.fault.offset)
		case m.value.repeated != nil:
			return request{}, p.malformed("a name "+m.value.repeated.what, m.value.repeated.offset)
		}
	}
	return sent, nil
}
