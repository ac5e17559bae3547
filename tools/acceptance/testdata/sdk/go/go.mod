module merchant

go 1.23

replace daftar/sdk/go => ../../../../../sdk/go

require daftar/sdk/go v0.0.0
