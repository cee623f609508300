export default {
  hemicycle: {
    input: 'openapi.json',
    output: { target: 'orval/generated/api.ts', client: 'fetch', baseUrl: process.env.SERVER_URL },
  },
};
