import type { Plugin } from 'vite';

/** The styles of every page, as a piece that comes later names them. */
const START_STYLES = /"(assets\/start-[\w-]+\.css)"/g;

/**
 * The styles of every page are linked with a '#' behind their name (the router does so for all that a later piece needs too), where Vite does not
 * know them again: a later piece would load them once more, behind the page's own styles, and win over those.
 */
export function startStylesOnce(): Plugin {
  return {
    name: 'kontor:start-styles-once',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk') chunk.code = chunk.code.replace(START_STYLES, '"$1#"');
      },
    },
  };
}
