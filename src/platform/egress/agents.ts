import { isIP } from 'node:net';
import { Agent } from 'undici';

/** Places to which connections are kept. */
const most = 50;

/** An agent that connects to this address, whatever the name says by then. */
export function agentTo(address: string): Agent {
  return new Agent({
    // One protocol whose ends and lengths are known (T7).
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
 * Calls of an interface come by the hundred: their connections serve the next call to the same origin and the same address,
 * which the caller has checked again by then.
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
      // Ends when the calls that are on their way have their answers.
      void oldest[1].close();
    }
    return agent;
  }
}
