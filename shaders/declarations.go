package shaders

import (
	"regexp"
	"strings"
)

// Block is a storage block that a stage declares.
type Block struct {
	// Name is what a pass calls it: the block's one member, or the block itself, with a small first
	// letter, where it has several.
	Name  string
	Block string // what OpenGL calls it
	Read  bool   // no writeonly
	Write bool   // no readonly
}

var (
	blockPattern  = regexp.MustCompile(`(?s)((?:\b(?:readonly|writeonly|coherent|restrict|volatile|[A-Z_]+)\s+)*)\bbuffer\s+(\w+)\s*\{([^}]*)\}`)
	memberPattern = regexp.MustCompile(`\w+\s+(\w+)\s*(?:\[[^\]]*\])?\s*;`)
	readonly      = regexp.MustCompile(`\breadonly\b`)
	writeonly     = regexp.MustCompile(`\bwriteonly\b`)
)

// Blocks lists the storage blocks that the text declares, in its order, those included that the
// preprocessor leaves out.
func (s *Source) Blocks() []Block {
	var blocks []Block
	for _, m := range blockPattern.FindAllStringSubmatch(s.Code(), -1) {
		b := Block{Name: FieldName(m[2]), Block: m[2], Read: !writeonly.MatchString(m[1]), Write: !readonly.MatchString(m[1])}
		if members := memberPattern.FindAllStringSubmatch(m[3], -1); len(members) == 1 {
			b.Name = members[0][1]
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// Code is the text without its comments.
func (s *Source) Code() string {
	var code strings.Builder
	inComment := false
	for line := range strings.Lines(s.Text) {
		code.WriteString(stripComments(strings.TrimSuffix(line, "\n"), &inComment))
		code.WriteByte('\n')
	}
	return code.String()
}
