module samples

go 1.23

require daftar/sdk/go v0.0.0

replace daftar/sdk/go => ../../sdk/go
