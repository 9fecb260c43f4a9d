/**
 * Returns the processor milliseconds of this process while `work` runs: unlike elapsed time, they do not grow when other
 * programs use the machine. For guards against work that grows with the square of its input.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
