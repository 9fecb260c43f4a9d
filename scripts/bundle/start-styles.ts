import type { Plugin } from 'vite';

/** References to the styles of every page in the code of lazily loaded pages. */
const START_STYLES = /"(assets\/start-[\w-]+\.css)"/g;

/**
 * The router links the styles of every page with a '#' after their name, as it does for everything that a lazily loaded page
 * needs too. Vite then does not recognise them: a lazily loaded page would load them again, after its own styles, and they would
 * override those.
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
