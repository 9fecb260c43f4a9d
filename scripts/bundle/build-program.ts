import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { programVersion } from '../../src/platform/program.ts';

/** Matches the address of one of our modules that runs in a thread or process of its own. */
const ownModule = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/g;

/**
 * Joins the program's thousand modules to a few files: loading them one by one is most of what a start costs. Packages stay as they
 * are installed. Modules for threads and processes become entries of their own; the addresses of other files still lead to `src`.
 */
export async function buildProgram(root: string, folder: string): Promise<void> {
  const unfinished = `${folder}-${process.pid}.tmp`;
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { PROGRAM_VERSION: JSON.stringify(programVersion(root)) },
    plugins: [addresses(root, folder)],
    // What the compiler itself adds is not among our packages.
    ssr: { noExternal: [/^@oxc-project/] },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir: unfinished,
      rolldownOptions: {
        input: { run: 'src/run.ts' },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another start may have built the same at the same time.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

function addresses(root: string, folder: string): Plugin {
  return {
    name: 'addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('import.meta.url') || id.includes('node_modules')) return null;
      const toSource = relative(folder, id).replaceAll('\\', '/');
      return code
        .split(ownModule)
        .map((part, index) => {
          // Every second part is the path of an own module.
          if (index % 2 === 0)
            return part.replaceAll('import.meta.url', `new URL('${toSource}', import.meta.url).href`);
          const module = resolve(dirname(id), part);
          const fileName = `${relative(join(root, 'src'), module).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')}.js`;
          this.emitFile({ type: 'chunk', id: module, fileName });
          return `new URL('./${fileName}', import.meta.url)`;
        })
        .join('');
    },
  };
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  await buildProgram(root, resolve(root, process.argv[2] ?? 'build/program'));
}
