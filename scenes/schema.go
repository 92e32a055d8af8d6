package scenes

import _ "embed"

// Schema is the JSON Schema of the scene format (draft 2020-12): it gives
// completion and checking in an editor. What a schema cannot say, such as that a
// polygon does not cross itself, Read checks on top; what Read accepts, the schema
// accepts.
//
//go:embed scene.schema.json
var Schema []byte
