@echo off
setlocal
set "HEMICYCLE_LAUNCHER=%~f0"
"%~dp0node\bin\node.exe" "%~dp0app\bin\run.js" %*
