import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// JavaScript, since Node would load its compiler of TypeScript for this file: what it loads from here on is compiled already.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node-compile', import.meta.url)));
await import('./start.ts');
