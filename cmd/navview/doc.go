// Command navview shows, draws, films and queries scenes.
//
// Without a verb it opens the interactive viewer; the other verbs do the same work without a
// window. Each verb is one file: flags, help with examples, and a Run that parses and prints; the
// work is in internal packages of one job each.
//
//	navview [SCENE]      the viewer                     (view.go; left out by the build tag headless)
//	navview list         the built-in scenes            (list.go)
//	navview info         renderer, limits, contexts     (info.go)
//	navview validate     problems of a scene            (validate.go)
//	navview render       a picture                      (render.go)
//	navview record       a film                         (record.go)
//	navview map          a goal's shortest path map     (map.go)
//	navview query        exact distances and paths      (query.go)
//	navview convert      scenes of other formats        (convert.go)
//	navview simulate     a run without drawing          (simulate.go)
//	navview measure      density, flow, passages        (measure.go)
//	navview sweep        studies of many runs           (sweep.go)
//	navview bench        times on this device           (internal/bench)
//	navview completion   scripts for shells             (completion.go)
//
// Exit status: 0 done, 1 the work failed, 2 wrong usage, 128 + n ended by signal n. Messages go to
// standard error, each line after "navview: ".
package main
