import { readdirSync } from 'node:fs';
import { directionOverrides } from './lint/directions.ts';

const folders = (path: string) =>
  readdirSync(new URL(path, import.meta.url), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
const nouns = folders('src/client/screens');
const marketplaces = folders('src/marketplaces');

/** The lint. Import directions and their sentences are in lint/directions.ts. */
export default {
  plugins: ['typescript', 'import', 'react', 'unicorn', 'promise', 'node', 'jsx-a11y'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  options: {
    typeAware: true,
  },
  ignorePatterns: ['build/**', '.react-router/**', 'scripts/bootstrap.cjs'],
  rules: {
    'import/no-cycle': 'error',
    'max-lines': [
      'error',
      {
        max: 300,
        skipBlankLines: false,
        skipComments: false,
      },
    ],
    'max-lines-per-function': [
      'error',
      {
        max: 60,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'no-console': 'error',
    'no-restricted-globals': [
      'error',
      {
        name: 'fetch',
        message: 'Only src/client/call.ts and src/platform/egress/egress.ts open connections.',
      },
    ],
    'react/react-in-jsx-scope': 'off',
    'no-shadow': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'no-await-in-loop': 'off',
    'preserve-caught-error': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'no-underscore-dangle': 'off',
    'typescript/consistent-return': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'react/exhaustive-effect-dependencies': 'off',
    'react/set-state-in-effect': 'off',
    'typescript/no-unnecessary-type-conversion': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/no-generated-empty-object-type': 'off',
    'typescript/no-empty-object-type': 'off',
  },
  overrides: [
    ...directionOverrides({ nouns, marketplaces }),
    {
      files: ['**/*.test.ts', 'src/engine/testing/**'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: ['src/client/**/*.tsx'],
      rules: {
        'max-lines-per-function': [
          'error',
          {
            max: 120,
            skipBlankLines: true,
            skipComments: true,
          },
        ],
      },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', 'test/**', 'bench/**', 'src/engine/testing/**'],
      rules: {
        'max-lines-per-function': 'off',
        'no-restricted-globals': 'off',
        'no-console': 'off',
        'typescript/no-unsafe-type-assertion': 'off',
      },
    },
    {
      // Generated and sorted, so it is not read from the top: the name of a table leads to its place.
      files: ['src/platform/db/tables.ts'],
      rules: { 'max-lines': 'off' },
    },
    {
      files: ['scripts/**', 'src/run.ts', 'src/client/call.ts'],
      rules: {
        'no-console': 'off',
        'no-restricted-globals': 'off',
      },
    },
  ],
};
