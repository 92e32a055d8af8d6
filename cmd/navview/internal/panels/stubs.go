//go:build !headless

package panels

import "github.com/wayfront/wayfront/cmd/navview/internal/studio"

func outline(s *studio.Studio)   {}
func inspector(s *studio.Studio) {}
func history(s *studio.Studio)   {}
func faults(s *studio.Studio)    {}
