package fake

import (
	"slices"

	fakes "daftar/payments/acquirer/fake"
)

// control adds the control addresses of the package's documentation.
func (f *Fake) control() {
	f.mux.HandleFunc("POST /control/sale", fakes.Controlled(f.controlSale))
	f.mux.HandleFunc("POST /control/notify", fakes.Controlled(f.controlNotify))
	f.mux.HandleFunc("POST /control/merchant", fakes.Controlled(f.controlMerchant))
	f.mux.HandleFunc("POST /control/style", fakes.Controlled(func(s Style) string {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.style = s
		return ""
	}))
}

type saleAsked struct {
	Reference string `json:"reference"`
	Amount    int64  `json:"amount"`
	Outcome   string `json:"outcome"`
}

func (f *Fake) controlSale(asked saleAsked) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if asked.Reference == "" || asked.Amount <= 0 {
		return "there is no reference or no amount"
	}
	sale := f.sale(f.merchants[0], asked.Reference, asked.Amount, "0000000000000000")
	switch asked.Outcome {
	case "approved":
	case "declined":
		sale.approved, sale.because = false, "Do not honor"
	default:
		return "the outcome is neither approved nor declined"
	}
	f.notify(f.message(f.record(sale)))
	return ""
}

type notifyAsked struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"`
	As        string `json:"as"`
}

func (f *Fake) controlNotify(asked notifyAsked) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, last := range slices.Backward(f.rows) {
		if last.reference != asked.Reference {
			continue
		}
		m, known := f.messageOfKind(last, asked.Kind, asked.As)
		if !known {
			return "there is no kind " + asked.Kind
		}
		f.notify(m)
		return ""
	}
	return "there is no transaction of this reference"
}

type merchantAsked struct {
	MerchantID string `json:"merchant_id"`
	NotifyURL  string `json:"notify_url"`
}

func (f *Fake) controlMerchant(asked merchantAsked) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if asked.NotifyURL != "" && !fakes.OnLoopback(asked.NotifyURL) {
		return "the address is not http on this machine"
	}
	for i := range f.merchants {
		if asked.MerchantID == "" || f.merchants[i].MerchantID == asked.MerchantID {
			f.merchants[i].NotifyURL = asked.NotifyURL
			return ""
		}
	}
	return "there is no such merchant"
}
