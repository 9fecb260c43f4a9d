import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { LIVE_MEDIA_TYPE, MOST_GET_CHARACTERS } from './component-protocol.ts';

const component = z.object({ component: z.string().max(60) });
/** `data`: JSON as LiveData; further parts are files. */
const form = z.object({ data: z.string() });

const others = {
  204: 'Weiter zur Adresse in Location',
  422: 'Die Komponente mit den Fehlern der Eingaben; ein ErrorBody, wo die Anfrage selbst nicht passt',
} as const;

/**
 * LVC-01: the calls of live components, common to all. Each component requires a permission of its own, beyond being signed in.
 */
export const liveComponentCalls = {
  /** The page's query parameters are untrusted input: each component parses them by its own schema. */
  liveComponentFirst: {
    method: 'GET',
    path: '/api/live-components/{component}/first',
    summary: 'Eine Live-Komponente, wie sie zuerst gezeigt wird',
    access: 'enter',
    params: component,
    query: z.looseObject({}),
    response: z.object({ html: z.string() }),
  },
  liveComponentGet: {
    method: 'GET',
    path: '/api/live-components/{component}',
    summary: 'Eine Live-Komponente neu zeichnen, ohne dass sich etwas ändert; nur wo sie es erlaubt',
    access: 'enter',
    params: component,
    query: z.object({ data: z.string().max(MOST_GET_CHARACTERS).default('') }),
    mediaType: LIVE_MEDIA_TYPE,
    others,
  },
  liveComponent: {
    method: 'POST',
    path: '/api/live-components/{component}',
    summary: 'Eine Live-Komponente mit geänderten Werten neu zeichnen',
    access: 'enter',
    params: component,
    upload: { form },
    mediaType: LIVE_MEDIA_TYPE,
    others,
  },
  liveComponentAction: {
    method: 'POST',
    path: '/api/live-components/{component}/{action}',
    summary: 'Eine Aktion einer Live-Komponente ausführen, mit _batch mehrere nacheinander',
    access: 'enter',
    params: component.extend({ action: z.string().max(60) }),
    upload: { form },
    mediaType: LIVE_MEDIA_TYPE,
    others,
  },
} as const satisfies Record<string, Call>;
