import { pathOf, type AnswerOf, type BodyOf, type Call } from '#shared/http/call.ts';
import { api } from '#shared/http/api.ts';
import type { TestKontor } from '../kontor.ts';

type Asked<C extends Call> = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: BodyOf<C>;
  headers?: Record<string, string>;
};

/** A browser without a screen: keeps cookies and sends its origin. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  private readonly kontor: TestKontor;
  private readonly device: string;

  constructor(kontor: TestKontor, device = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0') {
    this.kontor = kontor;
    this.device = device;
  }

  /** Makes a call and stores the cookies of its answer. */
  async send<C extends Call>(call: C, { params = {}, query, body, headers = {} }: Asked<C> = {}): Promise<Response> {
    const asked = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const answer = await this.kontor.raw(pathOf(call, params) + asked, {
      method: call.method,
      as: null,
      headers: {
        origin: this.kontor.url,
        'user-agent': this.device,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(call.method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  /** Makes a call and returns its parsed answer. @throws if it is not 2xx */
  async ask<C extends Call>(call: C, asked: Asked<C> = {}): Promise<AnswerOf<C>> {
    const answer = await this.send(call, asked);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${call.method} ${call.path} -> ${answer.status}: ${text}`);
    return call.response?.parse(JSON.parse(text)) as AnswerOf<C>;
  }

  /** Makes a call and returns status and error code, 'ok' if it succeeded. */
  async outcome<C extends Call>(call: C, asked: Asked<C> = {}): Promise<[number, string]> {
    const answer = await this.send(call, asked);
    const body = (await answer.json()) as { error?: { code: string } };
    return [answer.status, body.error?.code ?? 'ok'];
  }

  signIn = (body: { email: string; password: string }) => this.send(api.signIn, { body });
}
