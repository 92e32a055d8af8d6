module github.com/wayfront/wayfront/examples/raylib

go 1.26

require (
	github.com/gen2brain/raylib-go/raylib v0.55.1
	github.com/wayfront/wayfront v0.0.0
)

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/go-gl/gl v0.0.0-20231021071112-07e5d0ea2e71 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/hbollon/go-edlib v1.6.0 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	golang.org/x/exp v0.0.0-20250620022241-b7579e27df2b // indirect
	golang.org/x/sys v0.38.0 // indirect
)

replace github.com/wayfront/wayfront => ../..
