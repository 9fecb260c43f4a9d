import { isIP } from 'node:net';
import { Agent } from 'undici';

// Loaded with the first request: the HTTP client takes memory (25 MB) and time at the start.

/** Maximum number of kept agents. */
const most = 50;

/** Returns an agent that connects to this address, whatever the host name resolves to later. */
export function agentTo(address: string): Agent {
  return new Agent({
    // One protocol with reliable message ends and lengths (T7).
    allowH2: false,
    connect: {
      timeout: 10_000,
      lookup: (_name, options, done) => {
        const family = isIP(address);
        if (options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    },
    headersTimeout: 30_000,
    bodyTimeout: 60_000,
    maxHeaderSize: 32_768,
  });
}

/**
 * Keeps connections of API calls, which come by the hundred: they serve the next call to the same origin and address, which the
 * caller has checked again before.
 */
export class AgentCache {
  private readonly agents = new Map<string, Agent>();

  to(origin: string, address: string): Agent {
    const key = `${origin} ${address}`;
    const agent = this.agents.get(key) ?? agentTo(address);
    this.agents.delete(key);
    this.agents.set(key, agent);
    const [oldest] = this.agents;
    if (this.agents.size > most && oldest !== undefined) {
      this.agents.delete(oldest[0]);
      // Resolves when the calls in progress are answered.
      void oldest[1].close();
    }
    return agent;
  }
}
