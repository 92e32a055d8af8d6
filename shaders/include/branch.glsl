// BRANCH (condition) { ... } is an if around long work, in the form that software OpenGL skips: a
// loop of one turn. Within the block, break and continue leave it. llvmpipe runs both sides of an
// if and drops what does not apply, but enters no loop that no invocation runs. More on software
// OpenGL: docs/architecture.md.
#define BRANCH(condition) for (bool branchTaken = (condition); branchTaken; branchTaken = false)
