import { fileURLToPath } from 'node:url';

/**
 * Where Node keeps what it compiled, for processes that live shortly (`NODE_COMPILE_CACHE`). It belongs to the installation: in
 * a folder that others may write to, they could put code of theirs into it. Where it cannot be written, Node does without.
 */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/node-compile', import.meta.url));
