module daftar/sdk/go

go 1.23
