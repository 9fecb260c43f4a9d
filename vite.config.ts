import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

/** Editors alone need these; the first page comes without them. */
const editing = /@dnd-kit|signals-core|react-number-format|NumberInput|client\/(editor|ui\/rows)\//;

/** Dialogs, lists and fields, and what screens share that are not the first one: it comes without these, too. */
const widgets = new RegExp(
  [
    '@mantine/core/esm/components/(Menu|Combobox|Popover|ScrollArea|Checkbox|Radio|Input|InputBase|InlineInput|Textarea|TextInput',
    '|NativeSelect|Switch|SegmentedControl|FloatingIndicator|Drawer|Modal|ModalBase|FocusTrap|Pill|PillsInput|Progress|Tabs|Fieldset)/',
    '|@floating-ui/|tabbable|/aria-hidden/',
    '|src/client/saved-views/',
    '|src/client/ui/(form|grid|text/word|progress-bar|scroll-region|confirm-dialog|secret-dialog|share-bar|copy-button)',
  ].join(''),
);

/** Small things that the first page needs as well: a larger group would take them along with whatever needs them there. */
const base =
  /@mantine\/(hooks|store)\/|react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|client\/ui\/text\/(days|formats)/;

export default defineConfig(({ command }) => ({
  // Vitest reads this file too where no other configuration stands; the router's plugin has no business there.
  plugins: process.env.VITEST === undefined ? [reactRouter()] : [],
  // The first page in development would otherwise reload once more for every dependency found late.
  optimizeDeps: {
    include: [
      '@mantine/core',
      '@mantine/hooks',
      '@mantine/notifications',
      '@tabler/icons-react',
      'zod',
      '@dnd-kit/dom',
      '@dnd-kit/dom/sortable',
      '@dnd-kit/helpers',
      '@dnd-kit/react',
      '@dnd-kit/react/sortable',
      'echarts/charts',
      'echarts/components',
      'echarts/core',
      'echarts/renderers',
    ],
  },
  build: { target: 'es2023' },
  // What many screens share is one file: forty small ones per page take the browser and the server longer than they save.
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'base', test: base, priority: 4 },
                { name: 'shared', minShareCount: 6, test: (id) => !editing.test(id) && !widgets.test(id), priority: 3 },
                { name: 'widgets', minShareCount: 2, test: widgets, priority: 2 },
                { name: 'editing', minShareCount: 2, test: editing, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
  // Thousands of small files, read one by one at every start of the program; packed, only what the pages use remains of them.
  // Not while developing: there each would be transformed anew. Outside stays what the server itself loads: one copy of each.
  ssr: command === 'build' ? { noExternal: true, external: ['react', 'react-dom', 'react-router', 'zod'] } : {},
}));
