// Package edit changes scene documents by hand: what an editor keeps of the scene that is open.
//
// The text is the truth. A change is made to the scene that the text means, as a Go value, and
// written back by scenes.Rewrite, so that comments and layout of all else stay to the byte. Undo
// and redo put bytes back and compute nothing, so that they cannot bring anything but what there
// was. A text may have faults: an editor shows them and goes on with the last scene without.
//
// Nothing here knows of windows or of running worlds: World.Sync of package engine brings a world to
// a document.
package edit
