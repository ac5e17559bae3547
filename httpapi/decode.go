package httpapi

import "daftar/domain"

// DecodeCreate reads the body of POST /payment-intents. The application, the
// reference and the checkout token of the answer are left empty.
//
// The error is a *MalformedError for a body that cannot be read, and an
// *InvalidError that names every violated field for one that can. Whether
// expires_at lies in the window is not checked here: it matters only where
// no intent exists yet (see Ledger.Create).
func DecodeCreate(body []byte) (domain.Create, error) {
	sent, err := readFields(body, fields)
	if err != nil {
		return domain.Create{}, err
	}
	return validate(sent)
}

// request has the fields of a request that were sent.
type request []member

// field is the value of a field; the zero node where it was not sent.
func (r request) field(name string) node {
	for n := range r {
		if r[n].name == name {
			return r[n].value
		}
	}
	return node{}
}

// readFields reads the known fields of a request. Other names are ignored, but a fault that
// belongs to no field makes the whole body malformed.
func readFields(body []byte, known map[string]bool) (request, error) {
	top, err := parse(body)
	if err != nil {
		return nil, err
	}
	p := parser{body: body}
	sent := make(request, 0, len(known))
	for _, m := range top.members {
		switch {
		case m.nameFault != nil:
			return nil, p.malformed("a name "+m.nameFault.what, m.nameFault.offset)
		case known[m.name]:
			sent = append(sent, m)
		case m.value.fault != nil:
			return nil, p.malformed("a name or string "+m.value.fault.what, m.value.fault.offset)
		case m.value.repeated != nil:
			return nil, p.malformed("a name "+m.value.repeated.what, m.value.repeated.offset)
		}
	}
	return sent, nil
}
