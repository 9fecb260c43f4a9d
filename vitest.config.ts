import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['e2e/support/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['{src,seed,scripts}/**/*.test.ts'] } },
      { extends: true, test: { name: 'server', include: ['e2e/**/*.test.ts'], exclude: ['e2e/browser/**'] } },
      {
        extends: true,
        test: { name: 'browser', include: ['e2e/browser/**/*.test.ts'], fileParallelism: false, testTimeout: 120_000 },
      },
    ],
  },
});
