// Shows the OpenAPI description in the preferred colour scheme, without requests to other servers.
const dark = matchMedia('(prefers-color-scheme: dark)');

const darkTheme = {
  colors: {
    primary: { main: '#8fb4e0' },
    error: { main: '#f28b82' },
    text: { primary: '#e6ebf1', secondary: '#9aa8b8' },
    border: { dark: '#33404f', light: '#33404f' },
    responses: {
      success: { color: '#6fd08c', backgroundColor: '#16301f', tabTextColor: '#2f9e4f' },
      error: { color: '#f28b82', backgroundColor: '#3a1d1d', tabTextColor: '#f28b82' },
      redirect: { color: '#f2c879', backgroundColor: '#33290f', tabTextColor: '#f2c879' },
      info: { color: '#8fb4e0', backgroundColor: '#1b2a3a', tabTextColor: '#8fb4e0' },
    },
    gray: { 50: '#1b232c', 100: '#202a34' },
  },
  schema: { nestedBackground: '#1b232c', typeNameColor: '#9aa8b8', linesColor: '#4a5a6c' },
  sidebar: { backgroundColor: '#1b232c', textColor: '#e6ebf1', activeTextColor: '#8fb4e0' },
  rightPanel: { backgroundColor: '#10151b' },
  typography: { code: { color: '#f2a29a', backgroundColor: '#202a34' } },
};

function show() {
  // Its search needs a blob worker, which the Content-Security-Policy forbids.
  const options = { disableSearch: true, nativeScrollbars: true, theme: dark.matches ? darkTheme : {} };
  Redoc.init('openapi.json', options, document.querySelector('#docs'));
}

// Redoc cannot change its colours later.
dark.addEventListener('change', () => location.reload());
show();
