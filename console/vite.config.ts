import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Built by the root `prepare` script and served by the server. `npx vite` beside a running server is for working on it.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // What changes seldom is kept by browsers when the rest changes.
    rolldownOptions: {
      output: {
        advancedChunks: {
          groups: [
            { name: 'charts', test: /recharts|@mantine.charts|d3-|victory/ },
            { name: 'react', test: /node_modules.(react|react-dom|scheduler|react-router)\b/ },
            { name: 'mantine', test: /node_modules.(@mantine|@floating-ui|clsx)/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000' },
  },
})
