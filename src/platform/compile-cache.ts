import { fileURLToPath } from 'node:url';

/**
 * Folder where Node caches compiled code for short-lived processes (`NODE_COMPILE_CACHE`). It belongs to the installation: in a
 * folder that others may write to, they could place their own code. If it cannot be written, Node works without it.
 */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/node-compile', import.meta.url));
