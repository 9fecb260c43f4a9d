/**
 * Allowed imports between folders. Every direction has a sentence that the lint prints at the offending line, and a planted
 * violation in `directions.test.ts`. Imports across folders name the room (`#room/file.ts`), so that one pattern matches all of
 * them.
 */

/** Imports that are forbidden in some files, each with the sentence that says why. */
export type Direction = { readonly files: readonly string[]; readonly deny: readonly Denied[] };
type Folders = { readonly nouns: readonly string[]; readonly marketplaces: readonly string[] };
type Denied = readonly [pattern: string | ((connectors: readonly string[]) => string), reason: string];

const rooms = [
  'shared',
  'platform',
  'engine',
  'catalogue',
  'feed',
  'repricer',
  'orders',
  'marketplaces',
  'notifications',
  'live',
  'auth',
  'company',
  'operations',
  'client',
] as const;
type Room = (typeof rooms)[number];

const stages = ['rules', 'assignments', 'construction', 'attributes', 'validation', 'output'] as const;

/** Applies to every source file, in addition to its room's directions. */
const everywhere: readonly Denied[] = [
  [String.raw`(^|/)\.\./`, 'An import across folders starts with the top-level folder: #folder/file.ts.'],
  [String.raw`(^#|/)(run|main|start|deps)\.ts$`, 'These files wire the program; no folder imports them.'],
];
const database: Denied = ['^(pg|@electric-sql/.*)$', 'Only platform/db opens the database.'];
const connections: Denied = [
  '^(undici|node:https?|node:net|node:tls|node:dgram)$',
  'Only platform/egress opens connections to addresses that users or marketplaces gave.',
];
/** Folders under `marketplaces/` that are no connectors. Every other one is, so a new connector needs no line here. */
const noConnectors: readonly string[] = ['accounts', 'contract'];
const connectors: Denied = [
  (names) => `^#marketplaces/(${names.join('|')})/`,
  'Only main.ts imports a concrete marketplace; other code imports marketplaces/port.ts.',
];
const strangers =
  'feed, repricer and orders do not import each other; they share only catalogue, marketplaces and platform.';

/** Forbids all rooms except these. */
function onlyRooms(allowed: readonly Room[], reason: string): Denied {
  return [`^#(${rooms.filter((room) => !allowed.includes(room)).join('|')})/`, reason];
}

function room(name: Room, allowed: readonly Room[], reason: string, more: readonly Denied[] = []): Direction {
  return { files: [`src/${name}/**`], deny: [onlyRooms([name, ...allowed], reason), ...more] };
}

/** From the widest to the narrowest: if two match a file, only the later one applies, so it repeats what still holds. */
const directions: readonly Direction[] = [
  room('shared', [], 'shared/ is the wire: both runtimes load it, so it imports nothing but zod.', [
    ['^node:', 'shared/ must run in the browser.'],
    database,
    connections,
  ]),
  room('platform', ['shared'], 'platform/ is plumbing and knows no product word.', [database, connections]),
  {
    files: ['src/platform/db/**'],
    deny: [onlyRooms(['platform', 'shared'], 'platform/ is plumbing and knows no product word.'), connections],
  },
  {
    files: ['src/platform/http/**'],
    deny: [
      onlyRooms(['platform', 'shared'], 'platform/ is plumbing and knows no product word.'),
      database,
      // It checks the addresses of clients, and opens no connection itself.
      ['^(undici|node:https?|node:tls|node:dgram)$', connections[1]],
    ],
  },
  {
    files: ['src/platform/egress/**'],
    deny: [onlyRooms(['platform', 'shared'], 'platform/ is plumbing and knows no product word.'), database],
  },
  {
    // Its address is the operator's setting: no user of the program can choose it.
    files: ['src/platform/storage/s3/**'],
    deny: [onlyRooms(['platform', 'shared'], 'platform/ is plumbing and knows no product word.'), database],
  },
  {
    // Like the bucket's, the collector's address is the operator's setting.
    files: ['src/platform/telemetry/otlp/**'],
    deny: [onlyRooms(['platform', 'shared'], 'platform/ is plumbing and knows no product word.'), database],
  },
  room('engine', ['shared', 'platform'], 'engine/ is a compiler: from the wire to SQL text.', [
    [
      '^#platform/([a-z-]+\\.ts$|(db|jobs|http|egress|storage|crypto|telemetry)/|duckdb/duckdb\\.ts$)',
      'engine/ does no I/O: of platform/ it may use duckdb/sql.ts.',
    ],
    ['^node:', 'engine/ does no I/O.'],
    database,
  ]),
  room(
    'catalogue',
    ['shared', 'platform', 'engine'],
    'catalogue/ stays below feed, repricer, orders and marketplaces.',
    [database, connections],
  ),
  room('auth', ['shared', 'platform'], 'auth/ identifies users and imports nothing else of the product.', [
    database,
    connections,
  ]),
  room('company', ['shared', 'platform', 'auth'], 'company/ stays below feed, repricer and orders.', [
    database,
    connections,
  ]),
  room(
    'operations',
    ['shared', 'platform', 'catalogue', 'auth', 'company'],
    'operations/ maintains the installation: it works on rows and files and imports no use case.',
    // The backup command calls the running program on this machine.
    [database, ['^(undici|node:https|node:net|node:tls|node:dgram)$', connections[1]]],
  ),
  room(
    'notifications',
    ['shared', 'platform', 'catalogue', 'marketplaces'],
    'notifications/ delivers the messages it is given and imports no subject.',
    [connectors, database, connections],
  ),
  room(
    'live',
    ['shared', 'platform', 'catalogue', 'marketplaces', 'notifications'],
    'live/ reads rows of jobs and notifications, never a subject.',
    [connectors, database, connections],
  ),
  room('marketplaces', ['shared', 'platform', 'catalogue'], 'A marketplace connector imports none of its callers.', [
    connectors,
    database,
    connections,
  ]),
  room('feed', ['shared', 'platform', 'engine', 'catalogue', 'marketplaces'], strangers, [
    [
      '^#feed/stages/[a-z]+/stage\\.ts$',
      'Only plan/ combines stages; a use case requests a demand from it and builds it.',
    ],
    connectors,
    database,
    connections,
  ]),
  ...['rule-editing', 'impact'].map((folder): Direction => ({
    files: [`src/feed/${folder}/*routes.ts`],
    deny: [
      onlyRooms(['feed', 'shared', 'platform', 'engine', 'catalogue', 'marketplaces'], strangers),
      [
        String.raw`^\./(counts|findings|statistics|rule-impact)\.ts$`,
        'Queries that take long to compile are compiled in the child process with the items (answers.ts), so that /livez keeps responding.',
      ],
      connectors,
      database,
      connections,
    ],
  })),
  {
    files: ['src/feed/plan/**'],
    deny: [
      onlyRooms(['feed', 'shared', 'platform', 'engine', 'catalogue'], strangers),
      ['^#feed/([a-rt-z]|s[a-su-z])', 'plan/ orders the stages and imports no use case.'],
      database,
      connections,
    ],
  },
  ...stages.map((stage): Direction => ({
    files: [`src/feed/stages/${stage}/**`],
    deny: [
      onlyRooms(['feed', 'shared', 'platform', 'engine', 'catalogue'], strangers),
      [
        `^#feed/([a-rt-z]|s[a-su-z]|stages/(${stages.filter((one) => one !== stage).join('|')})/)`,
        'A stage gets its input from plan/, never from another stage.',
      ],
      database,
      connections,
    ],
  })),
  {
    files: ['src/feed/delivery/upload/**'],
    deny: [onlyRooms(['feed', 'shared', 'platform', 'engine', 'catalogue'], strangers), connectors, database],
  },
  room('repricer', ['shared', 'platform', 'engine', 'catalogue', 'marketplaces', 'notifications'], strangers, [
    connectors,
    database,
    connections,
  ]),
  {
    files: ['src/repricer/gate/gate.ts', 'src/repricer/gate/gate-limits.ts'],
    deny: [['.', 'The gate shares no code with the decisions it checks: a fault there must not pass here.']],
  },
  room('orders', ['shared', 'platform', 'catalogue', 'marketplaces', 'notifications'], strangers, [
    connectors,
    database,
    connections,
  ]),
  room('client', ['shared'], 'The browser talks to the server over shared/http/api.ts.', clientDenied()),
  {
    files: ['src/client/ui/**'],
    deny: [
      onlyRooms(['client'], 'ui/ imports nothing of the product, not even shared/.'),
      ...clientDenied(),
      ['^#client/([a-z-]+\\.ts|editor|fields|screens|shell)', 'ui/ lies below editor/, fields/, shell/ and screens/.'],
    ],
  },
  clientLayer(
    'live-components',
    ['editor', 'fields', 'screens', 'shell'],
    'live-components/ draws what the server sends and knows no subject.',
  ),
  clientLayer('editor', ['fields', 'screens', 'shell'], 'editor/ lies below fields/ and screens/.'),
  clientLayer('fields', ['screens', 'shell'], 'fields/ lies below screens/.'),
  clientLayer(
    'shell',
    ['screens', 'fields', 'editor'],
    'shell/ is the frame around screens/ and imports none of them.',
  ),
];

function clientDenied(): readonly Denied[] {
  return [['^node:', 'The client runs in the browser.'], database];
}

function clientLayer(layer: string, above: readonly string[], reason: string): Direction {
  return {
    files: [`src/client/${layer}/**`],
    deny: [
      onlyRooms(['client', 'shared'], 'The browser talks to the server over shared/http/api.ts.'),
      ...clientDenied(),
      [`^#client/(${above.join('|')})/`, reason],
    ],
  };
}

/** Connectors must not import each other. `names`: their folders. */
function connectorDirections(names: readonly string[]): readonly Direction[] {
  return names.map((connector) => ({
    files: [`src/marketplaces/${connector}/**`],
    deny: [
      onlyRooms(
        ['marketplaces', 'shared', 'platform', 'catalogue'],
        'A marketplace connector imports none of its callers.',
      ),
      [
        `^#marketplaces/(${names.filter((one) => one !== connector).join('|')})/`,
        'Connectors do not import each other.',
      ],
      database,
      // The sandbox is a marketplace itself: it listens.
      ...(connector === 'sandbox' ? [] : [connections]),
    ],
  }));
}

/** Screens must not import each other: code for two of them belongs to fields/. `nouns`: the folders of screens. */
function screens(nouns: readonly string[]): readonly Direction[] {
  return nouns.map((noun) => ({
    files: [`src/client/screens/${noun}/**`],
    deny: [
      onlyRooms(['client', 'shared'], 'The browser talks to the server over shared/http/api.ts.'),
      ...clientDenied(),
      [
        `^#client/screens/(${nouns.filter((one) => one !== noun).join('|')})/`,
        'A screen imports no other screen: code that two screens need belongs in fields/.',
      ],
    ],
  }));
}

/**
 * Returns the lint's overrides for the directions; `nouns`: the folders under `client/screens`, `marketplaces`: those under
 * `src/marketplaces`.
 */
export function directionOverrides({ nouns, marketplaces }: Folders) {
  const names = marketplaces.filter((name) => !noConnectors.includes(name));
  return [...directions, ...connectorDirections(names), ...screens(nouns)].map(({ files, deny }) => ({
    files: [...files],
    rules: {
      'no-restricted-imports': restricted([...everywhere, ...deny], names),
    },
  }));
}

function restricted(
  deny: readonly Denied[],
  names: readonly string[],
): ['error', { patterns: { regex: string; message: string }[] }] {
  const patterns = deny.map(([pattern, message]) => ({
    regex: typeof pattern === 'string' ? pattern : pattern(names),
    message,
  }));
  return ['error', { patterns }];
}
