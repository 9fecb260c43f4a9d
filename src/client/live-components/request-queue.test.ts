import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveDefaults } from './defaults.ts';
import { readPoll } from './poller.ts';
import { type Ending, type FieldValue, type LiveRequest, RequestQueue } from './request-queue.ts';

const action = (name: string) => ({ name, args: {}, files: [] });

describe('the queue of a live component', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const queueOf = () => {
    const sent: { request: LiveRequest; end: (ending: Ending) => void }[] = [];
    const queue = new RequestQueue((request) => {
      const { promise, resolve } = Promise.withResolvers<Ending>();
      sent.push({ request, end: resolve });
      return promise;
    });
    const end = async (ending: Ending) => {
      sent.at(-1)?.end(ending);
      await vi.advanceTimersByTimeAsync(0);
    };
    return { queue, sent, end, last: () => sent.at(-1)?.request };
  };

  it('LVC-02 reads the interval and the action of a poll attribute', () => {
    expect(readPoll('')).toEqual({ everyMs: 2000, action: undefined });
    expect(readPoll('delay(5000)')).toEqual({ everyMs: 5000, action: undefined });
    expect(readPoll('delay(5000)|$render')).toEqual({ everyMs: 5000, action: undefined });
    expect(readPoll('delay(5000)|look')).toEqual({ everyMs: 5000, action: 'look' });
    expect(readPoll('look')).toEqual({ everyMs: 2000, action: 'look' });
  });

  it('LVC-02 has the defaults of the specification', () => {
    expect(liveDefaults).toMatchObject({ inputDelay: 150, actionDelay: 0, pollInterval: 2000, loadingDelay: 200 });
  });

  it('LVC-02 sends typed values 150 ms after the last key, or at once together with an action', () => {
    const { queue, sent, last } = queueOf();
    queue.change('name', 'F');
    vi.advanceTimersByTime(149);
    queue.change('name', 'Fr');
    vi.advanceTimersByTime(149);
    expect(sent).toHaveLength(0);
    queue.act(action('save'));
    queue.change('amount', '5');
    vi.advanceTimersByTime(0);
    expect(sent).toHaveLength(1);
    expect([...(last()?.typed ?? [])]).toEqual([
      ['name', 'Fr'],
      ['amount', '5'],
    ]);
    expect(last()?.actions).toEqual([action('save')]);
  });

  it('LVC-01 has one request under way at a time; changes meanwhile are sent together afterwards', async () => {
    const { queue, sent, end, last } = queueOf();
    queue.act(action('one'));
    vi.advanceTimersByTime(0);
    for (const name of ['two', 'three']) queue.act(action(name));
    queue.change('name', 'x');
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(1);
    await end({ taken: true });
    expect(sent).toHaveLength(2);
    expect(last()?.actions).toEqual([action('two'), action('three')]);
    expect([...(last()?.typed.keys() ?? [])]).toEqual(['name']);
    await end({ taken: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(2);
  });

  it('LVC-01 sends at most fifty actions per request', async () => {
    const { queue, sent, end, last } = queueOf();
    for (let count = 0; count < 60; count += 1) queue.act(action('add'));
    await vi.advanceTimersByTimeAsync(0);
    expect(last()?.actions).toHaveLength(50);
    await end({ taken: true });
    expect([sent.length, last()?.actions.length]).toEqual([2, 10]);
  });

  it('LVC-01 keeps rejected values unsent, overridden by newer ones, and sends them once more', async () => {
    const { queue, sent, end, last } = queueOf();
    let unsent: [string, FieldValue][] = [];
    queue.change('name', 'alt');
    queue.change('amount', '5');
    await vi.advanceTimersByTimeAsync(150);
    queue.change('name', 'neu');
    await end({ taken: false, apply: (typed) => (unsent = [...typed]) });
    expect(new Map(unsent)).toEqual(
      new Map([
        ['name', 'neu'],
        ['amount', '5'],
      ]),
    );
    await vi.advanceTimersByTimeAsync(150);
    expect([sent.length, Object.fromEntries(last()?.typed ?? [])]).toEqual([2, { name: 'neu', amount: '5' }]);
    await end({ taken: false });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(2);
  });

  it('LVC-01 repeats the actions of a lost request on demand, before later ones, and those of an answered one never', async () => {
    const { queue, sent, end, last } = queueOf();
    const names = () => last()?.actions.map(({ name }) => name);
    queue.act(action('one'));
    await vi.advanceTimersByTimeAsync(0);
    await end({ taken: false, lost: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(1);
    queue.repeat();
    queue.act(action('two'));
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toEqual(['one', 'two']);
    await end({ taken: false });
    queue.repeat();
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toEqual([]);
  });

  it('LVC-01 never repeats a lost action that the user gave up, and asks for the state', async () => {
    const { queue, sent, end, last } = queueOf();
    queue.act(action('one'));
    await vi.advanceTimersByTimeAsync(0);
    await end({ taken: false, lost: true });
    queue.giveUp();
    expect(queue.hasLost).toBe(false);
    await vi.advanceTimersByTimeAsync(0);
    expect([sent.length, last()?.actions]).toEqual([2, []]);
    await end({ taken: true });
    queue.repeat();
    await vi.advanceTimersByTimeAsync(0);
    expect(last()?.actions).toEqual([]);
  });

  it('LVC-01 repeats every lost action in order, also after later requests without it', async () => {
    const { queue, end, last } = queueOf();
    const names = () => last()?.actions.map(({ name }) => name);
    const flushed = async (ending: Ending) => {
      await vi.advanceTimersByTimeAsync(150);
      await end(ending);
    };
    queue.act(action('one'));
    await flushed({ taken: false, lost: true });
    queue.change('name', 'F');
    await flushed({ taken: false, lost: true });
    queue.act(action('two'));
    await flushed({ taken: false, lost: true });
    queue.change('name', 'Fr');
    await flushed({ taken: true });
    expect(names()).toEqual([]);
    queue.repeat();
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toEqual(['one', 'two']);
    await end({ taken: true });
    queue.repeat();
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toEqual([]);
  });

  it('LVC-01 does not repeat a lost action that the user did again, but other lost ones', async () => {
    const { queue, end, last } = queueOf();
    for (const name of ['one', 'two']) queue.act(action(name));
    await vi.advanceTimersByTimeAsync(0);
    await end({ taken: false, lost: true });
    queue.act(action('two'));
    await vi.advanceTimersByTimeAsync(0);
    await end({ taken: true });
    queue.repeat();
    await vi.advanceTimersByTimeAsync(0);
    expect(last()?.actions).toEqual([action('one')]);
  });

  it("LVC-02 distinguishes a poll from a user's request", async () => {
    const { queue, end, last } = queueOf();
    queue.poll();
    await vi.advanceTimersByTimeAsync(0);
    expect(last()?.poll).toBe(true);
    await end({ taken: true });
    queue.poll();
    queue.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(last()?.poll).toBe(false);
  });

  it('LVC-02 sends no more requests once it is stopped', async () => {
    const { queue, sent, end } = queueOf();
    queue.act(action('one'));
    await vi.advanceTimersByTimeAsync(0);
    queue.act(action('two'));
    queue.stop();
    await end({ taken: true });
    queue.act(action('three'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(1);
  });
});
