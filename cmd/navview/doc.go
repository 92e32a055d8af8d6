// Command navview shows, draws, films and questions scenes.
//
// Without a verb it opens the interactive viewer. The other verbs do the same work without a window, so that a server, a
// test or a script gets what the viewer shows. Each verb is one file here: its flags, its help with examples and its work.
//
//	navview [SCENE]      the viewer                     (viewer.go, hand.go; left out by the build tag headless)
//	navview list         the built-in scenes            (list.go)
//	navview info         renderer, limits, contexts     (info.go)
//	navview validate     what is wrong with a scene     (validate.go)
//	navview render       one picture                    (render.go)
//	navview record       a film                         (record.go)
//	navview map          a goal's shortest path map     (map.go)
//	navview query        exact distances and paths      (query.go, points.go)
//	navview convert      scenes of other formats        (convert.go)
//	navview simulate     a run without drawing          (simulate.go)
//	navview bench        what things take               (bench.go and beside)
//	navview completion   scripts for shells             (completion.go)
//
// Exit status: 0 done, 1 the work failed, 2 wrong usage, 128 + n ended by signal n. Messages go to standard error, each line after "navview: ".
// The drawing itself is in package draw, which reads the GPU buffers of maps and agents where they are.
package main
