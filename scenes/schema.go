package scenes

import _ "embed"

// Schema is the JSON Schema of the scene format (draft 2020-12), for completion and checking in an
// editor. Read checks more, such as that a polygon does not cross itself, and accepts nothing that
// the schema refuses.
//
//go:embed scene.schema.json
var Schema []byte
