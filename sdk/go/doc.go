// Package daftar is a client of the Daftar payment service for a merchant's server: it creates and
// retrieves payment intents, gives money back and verifies webhooks. It needs the standard library
// alone.
//
//	client, err := daftar.FromEnvironment(daftar.Config{})
//	created, err := client.CreatePaymentIntent(ctx, daftar.CreatePaymentIntent{
//		MerchantReference: "order-1001", // yours; it prevents duplicates
//		Amount:            5000,         // 5.000 LYD
//		Currency:          "LYD",
//		Description:       "Order 1001",
//	})
//
// What fails for a while is sent again with the same reference, so nothing is done twice. Every method
// may be called again after any error. An error is an [*APIError] where the API refused, with a
// sentinel such as [ErrNotFound] for [errors.Is], a [*ConnectionError] where no answer came, or an
// [*ArgumentError] where an argument is wrong and nothing was sent. When the caller's context ends,
// waits and attempts end at once, and the error is also that of the context.
//
// The types in types.gen.go are made of the API's description and have its field names in JSON. Where
// the API says null, a string is empty, a time is zero and a map is nil. A later version of the service
// may have more fields, and more values of a type such as [Status]; neither breaks a client.
package daftar
