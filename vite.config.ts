import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { fetchedFirst } from './scripts/bundle/fetched-first.ts';
import { icons } from './scripts/bundle/icons.ts';
import { lightCalls } from './scripts/bundle/light-calls.ts';
import { startStylesOnce } from './scripts/bundle/start-styles.ts';

/** Every page's start and the first screen: these, with exactly what they need, form one file. */
const start = /src\/client\/(entry\.client|root|shell\/shell|shell\/page|screens\/overview\/overview)\.tsx/;

/** The schemas of requests and answers; they are loaded with a page's first call (scripts/bundle/light-calls.ts). */
const wire = /node_modules\/zod\/|src\/shared\//;

/** Used by editors only. */
const editing = /@dnd-kit|signals-core|react-number-format|NumberInput|client\/(editor|ui\/rows)\//;

/** Dialogs, lists and fields: screens that only display data load without these. */
const widgets = new RegExp(
  [
    '@mantine/core/esm/components/(Menu|Combobox|Popover|ScrollArea|Checkbox|Radio|Input|InputBase|InlineInput|Textarea|TextInput',
    '|NativeSelect|Switch|SegmentedControl|FloatingIndicator|Drawer|Modal|ModalBase|FocusTrap|Pill|PillsInput|Progress|Tabs|Fieldset)/',
    '|@floating-ui/|tabbable|/aria-hidden/',
    '|src/client/saved-views/',
    '|src/client/ui/(form|grid|text/word|progress-bar|scroll-region|confirm-dialog|secret-dialog|figures/share-bar|copy-button)',
  ].join(''),
);

export default defineConfig(({ command }) => ({
  // Vitest reads this file too where there is no other configuration; the router's plugin must not run there.
  plugins:
    process.env.VITEST === undefined ? [icons(), lightCalls(), startStylesOnce(), fetchedFirst(), reactRouter()] : [],
  // Otherwise the first page in development would reload for every dependency found late.
  optimizeDeps: {
    include: [
      '@mantine/core',
      '@mantine/notifications',
      'zod',
      '@dnd-kit/dom',
      '@dnd-kit/dom/sortable',
      '@dnd-kit/react',
      '@dnd-kit/react/sortable',
      'echarts/charts',
      'echarts/components',
      'echarts/core',
      'echarts/renderers',
    ],
  },
  build: { target: 'es2023' },
  // What many screens share is one file: forty small ones per page cost the browser and the server more time than they save.
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'start', test: start, priority: 5 },
                { name: 'wire', minShareCount: 2, test: wire, priority: 4 },
                { name: 'widgets', minShareCount: 2, test: widgets, priority: 2 },
                { name: 'editing', minShareCount: 2, test: editing, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
  // These are thousands of small files, read one by one at every start of the program; bundled, only what the pages use remains
  // of them. Not in development: there each would be transformed again. Packages that the server itself loads stay outside: one
  // copy of each.
  ssr: command === 'build' ? { noExternal: true, external: ['react', 'react-dom', 'react-router', 'zod'] } : {},
}));
