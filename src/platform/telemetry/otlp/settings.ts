import { z } from 'zod';

/** The standard settings of OpenTelemetry that are supported; an empty one counts as unset, as its specification says. */
export const tracesEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .union([
      z.literal(''),
      z.url({
        protocol: /^https?$/,
        error:
          'Erwartet wird die Adresse eines Sammlers, der OTLP über HTTP versteht, etwa http://localhost:4318 (ohne /v1/traces).',
      }),
    ])
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((text, context) => {
      const headers = readHeaders(text);
      if (headers !== undefined) return headers;
      context.addIssue({ code: 'custom', message: 'Erwartet wird name=wert, mehrere durch Komma getrennt.' });
      return z.NEVER;
    })
    .optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => text === '' || (Number(text) >= 0 && Number(text) <= 1), {
      error: 'Erwartet wird der Anteil der Anfragen, die aufgezeichnet werden: eine Zahl von 0 bis 1, etwa 0.1.',
    })
    .optional(),
};
const TracesEnvironment = z.object(tracesEnvironment);

export type TraceSettings = {
  /** Address to which spans are posted. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  /** Share of requests and jobs that are recorded, from 0 to 1, if no caller before us has decided. */
  readonly ratio: number;
};

/** Reads the settings; undefined: spans are not collected. */
export function readTraces(env: z.output<typeof TracesEnvironment>): TraceSettings | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  if (endpoint === '') return undefined;
  const ratio = env.OTEL_TRACES_SAMPLER_ARG ?? '';
  return {
    address: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: env.OTEL_SERVICE_NAME === undefined || env.OTEL_SERVICE_NAME === '' ? 'kontor' : env.OTEL_SERVICE_NAME,
    ratio: ratio === '' ? 1 : Number(ratio),
  };
}

/** Parses headers in the format of W3C baggage: `name=value,other=value`, values percent-encoded. undefined: unreadable. */
function readHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const decoded = decode(value);
    if (name === '' || decoded === undefined) return undefined;
    headers[name.toLowerCase()] = decoded;
  }
  return headers;
}

function decode(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value);
    return /^[\t\x20-\x7e]*$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
