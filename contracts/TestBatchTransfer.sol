// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Several token transfers in one transaction, for tests. Move nothing of worth through it.
contract TestBatchTransfer {
    using SafeERC20 for IERC20;

    /// @notice Moves tokens of the caller, who has to approve this contract before.
    function transferAll(IERC20 token, address to, uint256[] calldata values) external {
        for (uint256 i = 0; i < values.length; ++i) {
            token.safeTransferFrom(msg.sender, to, values[i]);
        }
    }
}
