module github.com/wayfront/wayfront/examples/ebitengine

go 1.26

require (
	github.com/go-gl/mathgl v1.2.0
	github.com/hajimehoshi/ebiten/v2 v2.8.8
	github.com/wayfront/wayfront v0.0.0
)

require (
	github.com/ebitengine/gomobile v0.0.0-20240911145611-4856209ac325 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/go-gl/gl v0.0.0-20231021071112-07e5d0ea2e71 // indirect
	github.com/hbollon/go-edlib v1.6.0 // indirect
	github.com/jezek/xgb v1.1.1 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	golang.org/x/sync v0.8.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
)

replace github.com/wayfront/wayfront => ../..
